// `mcp`: look-ups for an assistant, over standard input and output (Model Context Protocol). It reads a running server over HTTP
// with a key, as any client does, and has no way to anything that writes.
import { type Command, Misuse } from '../frame/command.ts'
import { openAsk } from './ask.ts'

export const mcpCommand: Command = {
  name: 'mcp',
  usage: '',
  summary:
    'Answers an assistant (Model Context Protocol) on standard input and output, and only reads. It asks the server at ASSIZE_URL with the key in ASSIZE_KEY.',
  options: {},
  positionals: { least: 0, most: 0 },
  async run({ terminal }) {
    const { ASSIZE_URL: url, ASSIZE_KEY: key } = terminal.env
    if (!url || !key)
      throw new Misuse('set ASSIZE_URL to the address of the server, and ASSIZE_KEY to a key from assize key create')
    const ask = openAsk(readAddress(url), key)
    // Loaded here, because no other command needs it.
    const { serveAssistant } = await import('./assistant.ts')
    await serveAssistant(ask, problem => terminal.err(`assize: ${problem}\n`))
    return 0
  },
}

function readAddress(text: string): string {
  const url = URL.parse(text)
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isUsable || url.search !== '' || url.hash !== '')
    throw new Misuse('ASSIZE_URL must be an http:// or https:// address without a user, a query or a fragment')
  return url.href.replace(/\/+$/, '')
}
