// Where a browser on this machine finds the server: by name, where a browser keeps a sign-in without TLS, and passkeys,
// which it gives to names alone.

const byName: readonly string[] = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '127.0.0.1', '::1']

export function localAddress(host: string, port: number): string {
  const name = byName.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
