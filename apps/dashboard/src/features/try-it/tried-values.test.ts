import { describe, expect, it } from 'vitest'
import { toCurl } from '../../entities/endpoint/curl-command.ts'
import { withoutSecrets } from './tried-values.ts'

describe('a request as curl', () => {
  it('quotes whatever a shell would read otherwise, and shows placeholders for secrets', () => {
    const command = toCurl({
      method: 'POST',
      url: "https://gw.example/shop/o'clock?a=1&b=$(id)",
      headers: 'X-One: `two`\nX-Api-Key: abcdef\n',
      body: '{"name":"O\'Neil $HOME"}',
      hasToken: true,
    })
    expect(command).toBe(
      [
        String.raw`curl --include --request POST 'https://gw.example/shop/o'\''clock?a=1&b=$(id)'`,
        '--header "Authorization: Bearer $TOKEN"',
        "--header 'X-One: `two`'",
        '--header "X-Api-Key: $X_API_KEY"',
        "--header 'Content-Type: application/json'",
        String.raw`--data-raw '{"name":"O'\''Neil $HOME"}'`,
      ].join(' \\\n  '),
    )
  })
})

it('what is kept of a try holds no secret by its name', () => {
  expect(
    withoutSecrets({
      params: { id: '7', session_id: 'abc' },
      query: 'page=1&access_token=abc&apikey=abc',
      headers: 'Accept: */*\nX-Api-Key: abc\ncookie: a=abc',
      body: '{"name":"x","password":"abc","deep":{"client_secret" : "a\\"bc"}}',
    }),
  ).toEqual({
    params: { id: '7', session_id: '' },
    query: 'page=1&access_token=&apikey=',
    headers: 'Accept: */*\nX-Api-Key:\ncookie:',
    body: '{"name":"x","password":"","deep":{"client_secret" : ""}}',
  })
})
