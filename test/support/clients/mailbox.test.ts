import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Mailbox } from './mailbox.ts'

const mailbox = new Mailbox()
afterEach(() => mailbox.stop())
const portOf = ({ url }: Mailbox) => Number(new URL(url).port)

test('comes back on its port, which nobody is given meanwhile', async () => {
  await mailbox.start()
  const port = portOf(mailbox)
  expect(port).toBeLessThan(32_768)
  await mailbox.stop()
  await mailbox.start()
  expect(portOf(mailbox)).toBe(port)
  const client = connect(port, '127.0.0.1')
  const [greeting] = await once(client, 'data')
  expect(`${greeting}`).toMatch(/^220 /)
  client.destroy()
})

test('says so where its port is taken, and does not wait forever', async () => {
  await mailbox.start()
  const port = portOf(mailbox)
  await mailbox.stop()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  await expect(mailbox.start()).rejects.toMatchObject({ code: 'EADDRINUSE' })
  other.close()
  await once(other, 'close')
})
