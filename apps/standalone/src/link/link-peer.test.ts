import { Duplex, duplexPair } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { LinkGap, LinkPeer } from './link-peer.ts'

type One = { double: (of: number) => number; fail: () => void; wait: () => string }
type Other = { note: (text: string) => void }

function open(stream: Duplex, calls: Partial<{ wait: () => Promise<string> }> = {}) {
  const faults: unknown[] = []
  const gaps = vi.fn<() => void>()
  const peer = new LinkPeer<One, Other>({
    stream,
    calls: {
      double: (of) => of * 2,
      fail: () => {
        throw new Error('It went wrong.')
      },
      wait: () => 'at once',
      ...calls,
    },
    onGap: gaps,
    onFault: (error) => faults.push(error),
  })
  return { peer, faults, gaps }
}

function openOther(stream: Duplex) {
  const notes: string[] = []
  const gaps = vi.fn<() => void>()
  const peer = new LinkPeer<Other, One>({
    stream,
    calls: { note: (text) => void notes.push(text) },
    onGap: gaps,
    onFault: () => {},
  })
  return { peer, notes, gaps }
}

it('answers what is asked, with the message of what was thrown', async () => {
  const [near, far] = duplexPair()
  const { faults } = open(near)
  const { peer } = openOther(far)
  expect(await peer.ask('double', 21)).toBe(42)
  await expect(peer.ask('fail')).rejects.toThrow('It went wrong.')
  peer.tell('fail')
  await vi.waitFor(() => expect(faults).toMatchObject([{ message: 'It went wrong.' }]))
})

it('takes texts whole, whatever line breaks are in them and however they are cut', async () => {
  const [near, far] = duplexPair()
  const { peer } = open(near)
  const { notes } = openOther(inPieces(far))
  const text = 'a\nb\r\nc\u2028d \u00e9\u{1f600}'.repeat(50)
  peer.tell('note', text)
  peer.tell('note', 'next')
  await vi.waitFor(() => expect(notes).toEqual([text, 'next']))
})

it('after a line that was cut off and a blank one, what was asked is given up and the next process is heard', async () => {
  const [near, far] = duplexPair()
  const { peer, gaps } = open(near)
  const asked = peer.ask('note', 'lost')
  far.write('{"tell":"dou')
  far.write('\n\n')
  await expect(asked).rejects.toBeInstanceOf(LinkGap)
  expect(gaps).toHaveBeenCalled()
  const { peer: next } = openOther(far)
  expect(await next.ask('double', 2)).toBe(4)
})

it('an answer to an earlier process is not taken for one to this', async () => {
  const [near, far] = duplexPair()
  const late = Promise.withResolvers<string>()
  open(near, { wait: () => late.promise })
  const first = openOther(far)
  const asked = first.peer.ask('wait')
  far.removeAllListeners('data')
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1)
  const second = openOther(far)
  vi.mocked(Date.now).mockRestore()
  const answered = second.peer.ask('double', 1)
  late.resolve('for the first')
  expect(await answered).toBe(2)
  far.emit('data', Buffer.from('\n\n'))
  asked.catch(() => {})
})

/** Hands on each byte alone. */
function inPieces(stream: Duplex): Duplex {
  const pieces = new Duplex({
    read: () => {},
    write: (chunk: Buffer, encoding, done) => stream.write(chunk, encoding, done),
  })
  stream.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at++) pieces.push(chunk.subarray(at, at + 1))
  })
  return pieces
}
