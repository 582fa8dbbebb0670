import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { releaseHeld, writeCopied, writeHeld } from './write-burst.ts'

/** Two ends of a connection. The near one is written to; the far one reads when it is told to. */
async function pair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [near] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    near.destroy()
    far.destroy()
    server.close()
  })
  return { near, far }
}

async function readAll(far: Socket): Promise<string> {
  let text = ''
  for await (const bytes of far) text += (bytes as Buffer).toString('latin1')
  return text
}

it('what a slow client has not taken yet is not overwritten by what others are sent', async () => {
  const [slow, quick] = [await pair(), await pair()]
  const part = Buffer.alloc(30_000)
  const expected: string[] = []
  // More than the system takes for a client that does not read.
  for (let at = 0; at < 1_000; at++) {
    part.fill(`${at} `)
    writeCopied(slow.near, `begin ${at}\r\n`, part, '\r\nend')
    expected.push(`begin ${at}\r\n${part.toString('latin1')}\r\nend`)
    part.fill('x')
    writeCopied(quick.near, '', part, '')
  }
  expect(slow.near.writableLength).toBeGreaterThan(0)
  slow.near.end()
  quick.near.end()
  const [slowText, quickText] = await Promise.all([readAll(slow.far), readAll(quick.far)])
  expect(slowText === expected.join('')).toBe(true)
  expect(quickText === 'x'.repeat(1_000 * part.length)).toBe(true)
})

it('a part is as the caller had it when it was written', async () => {
  const { near, far } = await pair()
  const part = Buffer.from('first')
  near.cork()
  writeCopied(near, '<', part, '>')
  part.write('other')
  writeCopied(near, '<', part, '>')
  near.end()
  expect(await readAll(far)).toBe('<first><other>')
})

it('what is written in one turn of the event loop leaves when it ends', async () => {
  const { near, far } = await pair()
  writeHeld(near, 'one ')
  writeCopied(near, 'two ', Buffer.from('three '), 'four')
  expect(near.writableLength).toBe(18)
  await endOfTurn()
  expect(near.writableLength).toBe(0)
  near.end()
  expect(await readAll(far)).toBe('one two three four')
})

it('of very many writes in one turn the first do not wait for its end', async () => {
  const { near } = await pair()
  const { near: other } = await pair()
  writeHeld(near, 'first')
  for (let at = 0; at < 31; at++) writeHeld(other, 'next')
  expect(near.writableLength).toBe(5)
  writeHeld(other, 'last')
  expect([near.writableLength, other.writableLength]).toEqual([0, 4])
})

it('what was held leaves before the socket is destroyed', async () => {
  const { near, far } = await pair()
  writeHeld(near, 'first ')
  writeHeld(near, 'second')
  releaseHeld(near)
  near.destroy()
  expect(await readAll(far)).toBe('first second')
})

it('memory that is used again is not shared by what is sent in one turn', async () => {
  const pairs = await Promise.all(Array.from({ length: 8 }, pair))
  const texts = pairs.map(() => '')
  // More than one piece of memory in each turn.
  for (let round = 0; round < 20; round++) {
    for (const [at, { near }] of pairs.entries()) {
      const text = `${round} ${at} `.repeat(4_000)
      writeCopied(near, '<', Buffer.from(text), '>')
      texts[at] += `<${text}>`
    }
    await endOfTurn()
  }
  for (const { near } of pairs) near.end()
  const received = await Promise.all(pairs.map(({ far }) => readAll(far)))
  expect(received.map((text, at) => text === texts[at])).toEqual(pairs.map(() => true))
})
