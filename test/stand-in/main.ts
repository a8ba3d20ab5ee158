// `npm run providers`: runs the stand-in until it is interrupted and prints the environment to paste. `--port N`,
// `--at 2025-01-15` to start on another day, `--speed 86400` to let a day pass each second, `--unlimited` for no rate limits.
import { parseArgs } from 'node:util'
import { misbehaviourKinds } from './misbehaviour.ts'
import { startStandIn } from './stand-in.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8099' },
    at: { type: 'string' },
    speed: { type: 'string' },
    unlimited: { type: 'boolean', default: false },
  },
})

const standIn = await startStandIn({
  port: Number.parseInt(values.port, 10),
  limits: values.unlimited ? 'none' : 'real',
  ...(values.at === undefined ? {} : { at: values.at }),
}).catch((error: unknown) => {
  process.stderr.write(`the stand-in cannot start: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
})
if (values.speed !== undefined) standIn.run(values.at ?? standIn.now, Number.parseInt(values.speed, 10))

const lines = Object.entries(standIn.environment).map(([name, value]) => `export ${name}=${value}`)
process.stdout.write(`${lines.join('\n')}\n\n`)
process.stdout.write(
  `The stand-in answers for all fifteen providers; its clock says ${standIn.now}. What it has: curl ${standIn.url}/stand-in\n` +
    `Misbehaviour: curl -d '{"provider":"BLS","kind":"html-200"}' ${standIn.url}/stand-in/misbehave, and so ` +
    `${misbehaviourKinds.length} kinds; back to order: curl -d '{}' ${standIn.url}/stand-in/behave\n`,
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void standIn.close())
