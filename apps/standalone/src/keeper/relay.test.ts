import { duplexPair, type Duplex } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { Relay } from './relay.ts'

/** The end of a process, with what arrives there. */
function join(relay: Relay, side: 0 | 1) {
  const [inside, outside] = duplexPair()
  const arrived: string[] = []
  outside.setEncoding('utf8').on('data', (text: string) => arrived.push(text))
  relay.join(side, inside)
  return { outside, inside, text: () => arrived.join('') }
}

const end = ({ inside }: { inside: Duplex }) => inside.destroy()

it('passes bytes both ways, drops those to a part that is away, and says when a part has ended', async () => {
  const relay = new Relay()
  const gateway = join(relay, 1)
  gateway.outside.write('to nobody')
  await new Promise(setImmediate)
  const first = join(relay, 0)
  first.outside.write('from the first')
  gateway.outside.write('to the first')
  await vi.waitFor(() => {
    expect(gateway.text()).toBe('from the first')
    expect(first.text()).toBe('to the first')
  })
  end(first)
  await vi.waitFor(() => expect(gateway.text()).toBe('from the first\n\n'))
  gateway.outside.write('x'.repeat(1_000_000))
  const second = join(relay, 0)
  await vi.waitFor(() => expect(gateway.outside.writableLength).toBe(0))
  second.outside.write('from the second')
  await vi.waitFor(() => expect(gateway.text()).toBe('from the first\n\nfrom the second'))
  end(gateway)
  await vi.waitFor(() => expect(second.text().endsWith('\n\n')).toBe(true))
})
