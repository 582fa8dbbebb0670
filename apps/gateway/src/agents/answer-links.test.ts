import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Answering } from '@gatehouse/http1/testing/open-upstream'
import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AnswerKeeper } from '../exchange/answer-keeper.ts'
import type { AnswerKeptMessage, AnswerWantedMessage } from '../messages/kept-answer-messages.ts'
import { buildToken, clientToken } from '../testing/build-snapshot.ts'
import { KeptAnswers } from '../exchange/kept-answers.ts'
import { earlierRevision, modernRevision } from './protocol.ts'
import { startAgentGateway } from './testing/agent-gateway.ts'

const minuteMs = 60_000
const bytes = Buffer.from([0, 1, 255])
const file: Answering = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 3\r\n\r\n')
  socket.write(bytes)
}

/** Another token of the same user. */
const otherToken = `ghp_${'d'.repeat(49)}`
const other = buildToken({
  id: 9,
  digest: createHash('sha256').update(otherToken).digest('hex'),
})

async function connect(url: string, revision: string, token = clientToken) {
  const mode = revision === earlierRevision ? ('legacy' as const) : { pin: revision }
  const client = new Client({ name: 'a client', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

describe.each([modernRevision, earlierRevision])('a file, by a client of %s', (revision) => {
  it('is a link that the same token reads, and no other', async () => {
    const { gateway } = await startAgentGateway({
      answer: file,
      snapshot: { tokens: [buildToken(), other] },
    })
    const client = await connect(gateway.url, revision)
    const { content } = await client.callTool({ name: 'sales_orders', arguments: {} })
    const [link] = content
    if (link?.type !== 'resource_link') throw new Error(JSON.stringify(content))
    expect(link).toMatchObject({ type: 'resource_link', mimeType: 'application/pdf', size: 3 })
    const read = await client.readResource({ uri: link.uri })
    expect(read.contents).toEqual([
      { uri: link.uri, mimeType: 'application/pdf', blob: bytes.toString('base64') },
    ])
    expect((await client.listResources()).resources).toEqual([])
    const outsider = await connect(gateway.url, revision, otherToken)
    await expect(outsider.readResource({ uri: link.uri })).rejects.toThrow(/no such answer/)
    const unknown = 'gatehouse:answers/00000000-0000-4000-8000-000000000000'
    for (const uri of [unknown, 'gatehouse:answers/x', 'file:///etc/passwd'])
      await expect(client.readResource({ uri })).rejects.toThrow(/no such answer/)
  })
})

describe('kept answers', () => {
  const answer = (data = 'AAH/') => ({ owner: 'a', mimeType: 'application/pdf', data })

  it('are there for five minutes', () => {
    const kept = new KeptAnswers()
    kept.keep('one', answer(), 0)
    expect(kept.find('one', 'a', 5 * minuteMs - 1)).toMatchObject(answer())
    expect(kept.find('one', 'b', 1)).toBeUndefined()
    expect(kept.find('one', 'a', 5 * minuteMs)).toBeUndefined()
  })

  it('take 64 MiB together at most: the oldest go', () => {
    const kept = new KeptAnswers()
    const half = 'x'.repeat(32 * 1024 * 1024)
    for (const [at, id] of ['one', 'two', 'three'].entries()) kept.keep(id, answer(half), at)
    expect(['one', 'two', 'three'].map((id) => kept.find(id, 'a', 3) !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('are found by every worker, by way of the supervisor', async () => {
    const shared = new KeptAnswers()
    const keeperOf = (): AnswerKeeper => {
      const keeper: AnswerKeeper = new AnswerKeeper((message) => hear(message, keeper))
      return keeper
    }
    const hear = (message: AnswerKeptMessage | AnswerWantedMessage, from: AnswerKeeper) => {
      const { id } = message
      if (message.type === 'answer-kept') return shared.keep(id, message.answer)
      const { owner } = message
      return setImmediate(() => from.settle(id, owner, shared.find(id, owner)))
    }
    const id = keeperOf().keep(answer())
    const ask = (keeper: AnswerKeeper, owner: string) =>
      new Promise((found) => keeper.find(id, owner, found))
    const another = keeperOf()
    expect(
      await Promise.all([ask(another, 'a'), ask(another, 'a'), ask(another, 'b')]),
    ).toMatchObject([answer(), answer(), undefined])
  })
})
