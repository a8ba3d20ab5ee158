// The address of the server for a browser on this machine: by name, because then a browser stays signed in without TLS, and
// because passkeys work only with names.

const byName: readonly string[] = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '127.0.0.1', '::1']

export function localAddress(host: string, port: number): string {
  const name = byName.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Where people reach the pages: as it is set, or this machine's own address. */
export function publicUrlOf({
  publicUrl,
  host,
  port,
}: {
  readonly publicUrl: string | null
  readonly host: string
  readonly port: number
}): string {
  return publicUrl ?? localAddress(host, port)
}
