// Where a browser on this machine finds the server: one that listens on every address is reached as localhost, where a
// browser also keeps a sign-in without TLS.

export function localAddress(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0']
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
