// The address of the server for a browser on this machine: by name, because then a browser stays signed in without TLS, and
// because passkeys work only with names.

const byName: readonly string[] = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '127.0.0.1', '::1']

export function localAddress(host: string, port: number): string {
  const name = byName.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
