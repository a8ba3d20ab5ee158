// An address that names several hosts, `scheme://login@a:1,b:2/rest`, as programs of databases write it. No URL can be read
// from it, but one for each host can.

const wholeAddress = /^([a-z][a-z+]*:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

/** `scheme://login@a:1/rest` and `scheme://login@b:2/rest`. A host that is missing is null. */
export function addressOfEachHost(text: string): readonly (string | null)[] {
  const [, login, hosts, rest] = wholeAddress.exec(text) ?? []
  if (hosts === undefined || !hosts.includes(',')) return [text]
  return hosts.split(',').map(host => (host === '' ? null : `${login}${host}${rest}`))
}
