// Patches five bugs of the PostgreSQL driver (postgres.js 3.4.9) while it is loaded: a write delayed until after its
// connection closed ended the process, a connection that failed with such a write could never send again, one that failed
// while fetching array types ended the process too, a query given to a connection between its failure and its close, or
// after it, was never answered, and a pool whose connection had closed during a query could not be closed. A driver without
// these lines is left unchanged.
import { registerHooks } from 'node:module'

const driverFile = '/node_modules/postgres/src/connection.js'

export function repairDriver(): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(driverFile) || loaded.source == null) return loaded
      const { source } = loaded
      const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString()
      return { ...loaded, source: repairDriverText(text) }
    },
  })
}

export function repairDriverText(text: string): string {
  return (
    text
      .replaceAll(
        '    clearImmediate(nextWriteTimer)\n',
        '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
      )
      .replace(
        '    const x = socket.write(chunk, fn)\n',
        '    if (socket === null) {\n      chunk = nextWriteTimer = null\n      return false\n    }\n    const x = socket.write(chunk, fn)\n',
      )
      // Nothing waits for the types; code waiting for the connection learns of its end in another way.
      .replace('        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(() => {})\n')
      // The last query of a failed transaction is its rollback, which may come after the close.
      .replace(
        "'CONNECTION_DESTROYED', options))\n\n    if (stream)\n",
        "'CONNECTION_DESTROYED', options))\n\n    if (socket === null)\n      return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true\n\n    if (stream)\n",
      )
      .replace(
        '    !hadError && (query || sent.length) && error(',
        '    ended && (ended(), ending = ended = null)\n    ;(query || sent.length) && error(',
      )
      .replace('    closedTime = performance.now()\n', '    query = null\n    closedTime = performance.now()\n')
  )
}
