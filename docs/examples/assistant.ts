// Calls one tool of `assize mcp`, as an assistant does, and prints what it answers. Without a tool it lists them:
//
//   ASSIZE_URL=https://assize.example ASSIZE_KEY=asz_live_… node assistant.ts adjustment '{ "agreement": "steel-brackets" }'
//
// Needs Node 22.18 or newer, `@modelcontextprotocol/client`, and the program `assize`; ASSIZE_PROGRAM names another way to start it.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [name, args = '{}'] = process.argv.slice(2)
const [command, ...words] = (process.env.ASSIZE_PROGRAM ?? 'assize').split(' ')
const { PATH = '', ASSIZE_URL = '', ASSIZE_KEY = '' } = process.env

const client = new Client({ name: 'example', version: '1.0.0' })
await client.connect(
  new StdioClientTransport({ command: command!, args: [...words, 'mcp'], env: { PATH, ASSIZE_URL, ASSIZE_KEY } }),
)
if (name === undefined) {
  const { tools } = await client.listTools()
  for (const { name: each, description } of tools) console.log(`${each}: ${description}`)
} else {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: JSON.parse(args) })
  if (isError) process.exitCode = 1
  console.log(JSON.stringify(structuredContent ?? content, null, 2))
}
await client.close()
