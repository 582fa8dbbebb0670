import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from './event-stream.ts'

/** Reads a stream that arrives in these pieces. */
async function read(...pieces: (string | Uint8Array)[]): Promise<ServerEvent[]> {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    start(control) {
      for (const piece of pieces)
        control.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      control.close()
    },
  })
  const events: ServerEvent[] = []
  for await (const event of readEvents(stream)) events.push(event)
  return events
}

test('events are read whatever pieces they arrive in', async () => {
  const whole = [{ event: 'run', data: '{"a":1}' }]
  expect(await read('event: run\ndata: {"a":1}\n\n')).toEqual(whole)
  expect(await read('event: r', 'un\ndata: {"a"', ':1}\n', '\n')).toEqual(whole)
  expect(await read('event: run\r\ndata: {"a":1}\r\n\r\n')).toEqual(whole)
  expect(await read('event: run\r', '\ndata: {"a":1}\r\n\r', '\n')).toEqual(whole)
})

test('a character that is cut between two pieces stays whole', async () => {
  const bytes = new TextEncoder().encode('data: “é”\n\n')
  expect(await read(bytes.slice(0, 7), bytes.slice(7, 10), bytes.slice(10))).toEqual([
    { event: 'message', data: '“é”' },
  ])
})

test('lines of data are joined; comments and unfinished events are passed over', async () => {
  expect(await read(': still here\n\n', 'data: one\ndata: two\n\n', 'data: cut')).toEqual([
    { event: 'message', data: 'one\ntwo' },
  ])
})
