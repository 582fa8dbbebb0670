import { describe, expect, it, test } from 'vitest'
import { noteInWords } from '../../../kernel/located-document.ts'
import { readImport } from '../import-worker.ts'
import type { ImportedDocument } from '../imported-document.ts'
import { shellWords } from './shell-words.ts'

function read(text: string): ImportedDocument {
  const answer = readImport(text)
  if (!answer.ok) throw new Error(answer.problems.map(noteInWords).join('\n'))
  return answer.document
}

/** What is made of a command: the request, and what it carries. */
function made(text: string) {
  const { operations, servers, call } = read(text)
  const [operation] = operations
  return {
    route: `${operation?.method} ${servers[0]?.url}${operation?.path}`,
    query: call?.query,
    body: call?.body,
    contentType: call?.contentType,
    signIn: call?.signIn,
  }
}

const refusal = (text: string) => {
  const answer = readImport(text)
  return answer.ok ? undefined : answer.problems.map(noteInWords).join('\n')
}

const plain = { query: '', body: '', contentType: '', signIn: null }

test.each([
  [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
  [`a \\\n  b \\\r\n c`, ['a', 'b', 'c']],
  [`"a\\"b\\n" 'it'\\''s'`, ['a"b\\n', "it's"]],
  [String.raw`$'a\n\u0021\'' ""`, ["a\n!'", '']],
  [`a"b"'c'`, ['abc']],
])('%j has the words %j', (command, words) => {
  expect(shellWords(command)).toEqual(words)
})

describe('a curl command becomes an endpoint', () => {
  it.each([
    ['curl https://a.example/orders', { ...plain, route: 'get https://a.example/orders' }],
    ['$ curl -sSL a.example:8080', { ...plain, route: 'get http://a.example:8080/' }],
    [
      `curl --request PUT --url 'https://a.example/o/1?full=1' -o file --compressed`,
      { ...plain, route: 'put https://a.example/o/1', query: 'full=1' },
    ],
    [
      `curl https://a.example/o -H 'Content-Type: application/json' \\\n  -d '{"a":1}'`,
      {
        ...plain,
        route: 'post https://a.example/o',
        body: '{"a":1}',
        contentType: 'application/json',
      },
    ],
    [
      `curl https://a.example/o --json '{}'`,
      { ...plain, route: 'post https://a.example/o', body: '{}', contentType: 'application/json' },
    ],
    [
      `curl -G https://a.example/o -d a=1 --data-urlencode 'b=x y'`,
      { ...plain, route: 'get https://a.example/o', query: 'a=1&b=x%20y' },
    ],
    ['curl -I https://a.example/o', { ...plain, route: 'head https://a.example/o' }],
    [
      'curl -XDELETE https://a.example/orders/{id}',
      { ...plain, route: 'delete https://a.example/orders/{id}' },
    ],
  ])('%j', (command, expected) => {
    expect(made(command)).toEqual(expected)
  })

  it.each([
    [`-H 'Authorization: Bearer abc'`, { kind: 'bearer', scheme: 'Bearer', token: 'abc' }],
    [`-u 'ann:s:x'`, { kind: 'basic', username: 'ann', password: 's:x' }],
    [`-H 'authorization: Basic YW5uOng='`, { kind: 'basic', username: 'ann', password: 'x' }],
    [`-H 'X-Api-Key: k'`, { kind: 'headers', headers: [{ name: 'X-Api-Key', value: 'k' }] }],
    [`--oauth2-bearer abc`, { kind: 'bearer', scheme: 'Bearer', token: 'abc' }],
  ])('%s is the sign-in', (option, signIn) => {
    const { call } = read(`curl https://a.example/o ${option}`)
    expect(call?.signIn).toEqual({ ...signIn, refused_when: null })
  })

  it('names the headers that it leaves out, and not those that every client sends', () => {
    const { notes } = read(
      `curl https://a.example -H 'Accept: */*' -H 'X-Tenant: 7' -b 'session=1' -H 'User-Agent: x'`,
    )
    expect(notes.map(({ message }) => message)).toEqual([
      'Cookies are not imported.',
      'The header X-Tenant is not imported. Where the API needs it, set it there.',
    ])
  })

  it.each([
    [`curl 'https://a.example`, 'A quotation mark of the command is not closed.'],
    ['curl -s -L', 'The command names no address.'],
    ['curl https://a.example -d @body.json', /reads its body from the file body\.json/],
    ['curl https://a.example -F file=@x', /Forms with files/],
    ['curl -X TRACE https://a.example', 'An endpoint can’t have the method TRACE.'],
    ['curl ftp://a.example/x', /is no address that begins with http/],
    ['curl https://ann:x@a.example/', /holds a user name or a password/],
    ['https://a.example//x', /empty segment/],
  ])('%j is refused', (command, message) => {
    expect(refusal(command)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })

  it('reads a body of two megabytes in a moment', () => {
    const body = '{"a":"' + 'x\\"'.repeat(700_000) + '"}'
    expect(made(`curl https://a.example/o -d '${body}'`).body).toBe(body)
  })
})
