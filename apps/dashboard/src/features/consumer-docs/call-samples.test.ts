import type { ServedEndpoint } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { callSample } from './call-samples.ts'

const endpoint = (more: Partial<ServedEndpoint> = {}): ServedEndpoint => ({
  method_type: 'get',
  path: '/orders',
  url: 'https://gw.example/shop/orders',
  summery: 'Orders',
  description: '',
  parameters: [],
  requires_token: false,
  answers: null,
  ...more,
})
const parameter = (name: string, place: ServedEndpoint['parameters'][number]['in'], type = '') => ({
  name,
  in: place,
  is_required: true,
  type,
  description: '',
})
const put = endpoint({
  method_type: 'put',
  path: '/orders/{id}',
  url: "https://gw.example/it's/orders/{id}",
  requires_token: true,
  parameters: [
    parameter('page', 'query'),
    parameter('X-Tenant', 'header'),
    parameter('body', 'body', 'application/xml, application/json'),
  ],
})

test('a plain read is one line', () => {
  expect(callSample(endpoint(), 'curl')).toBe(`curl 'https://gw.example/shop/orders'`)
})

test('curl: a quote ends no argument, and braces are left to the reader', () => {
  expect(callSample(put, 'curl')).toBe(
    [
      `curl --globoff --request PUT 'https://gw.example/it'\\''s/orders/{id}?page={page}'`,
      '--header "Authorization: Bearer $GATEHOUSE_TOKEN"',
      `--header 'X-Tenant: {X-Tenant}'`,
      `--header 'Content-Type: application/json'`,
      `--data '{}'`,
    ].join(' \\\n  '),
  )
})

test('a signed call has its signature to be filled in, and no token', () => {
  const sample = callSample(put, 'curl', true)
  expect(sample).not.toContain('Authorization')
  for (const name of ['Signature-Input', 'Signature', 'Content-Digest'])
    expect(sample).toContain(`--header '${name}: {${name}}'`)
  expect(callSample(endpoint({ requires_token: true }), 'curl', true)).not.toContain('Digest')
  expect(callSample(endpoint(), 'curl', true)).not.toContain('Signature')
})

test('JavaScript: quotes end no text; method, token, headers and body are there', () => {
  expect(callSample(put, 'JavaScript')).toBe(
    [
      "const answer = await fetch('https://gw.example/it\\'s/orders/{id}?page={page}', {",
      "  method: 'PUT',",
      '  headers: {',
      '    authorization: `Bearer ${process.env.GATEHOUSE_TOKEN}`,',
      "    'x-tenant': '{X-Tenant}',",
      "    'content-type': 'application/json',",
      '  },',
      '  body: JSON.stringify({}),',
      '})',
      'console.log(answer.status, await answer.text())',
    ].join('\n'),
  )
})

test('C#: texts are quoted, and the body has its media type', () => {
  const code = callSample(
    endpoint({ method_type: 'post', parameters: [parameter('body', 'body', 'text/xml')] }),
    'C#',
  )
  expect(code).toContain('HttpMethod.Post, "https://gw.example/shop/orders"')
  expect(code).toContain('new StringContent("{body}", Encoding.UTF8, "text/xml")')
})

test('fields of a form are sent as a form', () => {
  const form = endpoint({ method_type: 'post', parameters: [parameter('a b', 'form')] })
  expect(callSample(form, 'curl')).toContain(`--data 'a%20b={a b}'`)
})
