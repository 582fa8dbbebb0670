import { describe, expect, it } from 'vitest'
import { endpointUrl, joinUrl } from './endpoint-url.ts'

describe('base URL and path are joined with exactly one slash', () => {
  it.each([
    ['http://erp.test', '/orders', 'http://erp.test/orders'],
    ['http://erp.test/', '/orders', 'http://erp.test/orders'],
    ['http://erp.test/', 'orders', 'http://erp.test/orders'],
    ['http://erp.test/api/v1', '/orders', 'http://erp.test/api/v1/orders'],
    ['http://erp.test/api/v1//', '//orders', 'http://erp.test/api/v1/orders'],
    ['http://erp.test/api', '/', 'http://erp.test/api/'],
    ['http://erp.test/api', '/orders/', 'http://erp.test/api/orders/'],
    ['http://erp.test/a%20b', '/c', 'http://erp.test/a%20b/c'],
    ['http://erp.test/api?x=1#y', '/orders', 'http://erp.test/api/orders'],
    ['http://erp.test:8069', '/o?p#q', 'http://erp.test:8069/o%3Fp%23q'],
  ])('%s + %s', (base, path, url) => {
    expect(joinUrl(base, path).href).toBe(url)
  })
})

const fill = (path: string, fields: Record<string, string>, baseUrl = 'http://erp.test/api') =>
  endpointUrl({ baseUrl, path, fields })

describe('a value fills exactly one segment', () => {
  it.each([
    ['7', '7'],
    ['INV 7/2026', 'INV%207%2F2026'],
    ['../../admin', '..%2F..%2Fadmin'],
    ['..\\admin', '..%5Cadmin'],
    ['%2e%2e', '%252e%252e'],
    ['%2e%2e%2fadmin', '%252e%252e%252fadmin'],
    ['?x=1#y', '%3Fx%3D1%23y'],
    ['a;b=c', 'a%3Bb%3Dc'],
    ['فاتورة', '%D9%81%D8%A7%D8%AA%D9%88%D8%B1%D8%A9'],
    ['{other}', '%7Bother%7D'],
    ['$&', '%24%26'],
    ['...', '...'],
    ['//evil.test', '%2F%2Fevil.test'],
  ])('%j', (value, segment) => {
    const target = fill('/orders/{id}/lines', { id: value })
    expect(target.ok && target.url.href).toBe(`http://erp.test/api/orders/${segment}/lines`)
  })

  it.each(['.', '..', 'a\0', 'a\r\nb', '\ud800'])('%j is refused', (value) => {
    expect(fill('/orders/{id}', { id: value })).toEqual({
      ok: false,
      missing: [],
      message: 'The value of {id} does not fit into a path.',
    })
  })
})

describe('fields', () => {
  it('are named in `used` as far as the path takes them', () => {
    const target = fill('/a/{first}/{second}', { second: '2', third: '3', first: '1' })
    expect(target.ok && target.used).toEqual(['first', 'second'])
    expect(target.ok && target.url.pathname).toBe('/api/a/1/2')
  })

  it('may come as a map', () => {
    const fields = new Map([['id', '7']])
    const target = endpointUrl({ baseUrl: 'http://erp.test', path: '/{id}', fields })
    expect(target.ok && target.url.pathname).toBe('/7')
  })

  it('that are missing or blank are all named', () => {
    expect(fill('/{a}/{b}/{c}', { b: '1', c: '' })).toEqual({
      ok: false,
      missing: ['a', 'c'],
      message: 'The path needs a value for {a}, {c}.',
    })
  })

  it('are own properties only', () => {
    const target = fill('/{constructor}/{toString}', {})
    expect(!target.ok && target.missing).toEqual(['constructor', 'toString'])
  })
})

it.each([
  ['/orders/../admin', 'http://erp.test'],
  ['/orders?x=1', 'http://erp.test'],
  ['/orders/%2e%2e/admin', 'http://erp.test'],
  ['/orders', 'ftp://erp.test'],
  ['/orders', 'http://user:secret@erp.test'],
  ['/orders', 'erp.test'],
])('path %s on %s is refused', (path, baseUrl) => {
  const target = fill(path, {}, baseUrl)
  expect(target).toMatchObject({ ok: false, missing: [] })
  expect(!target.ok && target.message).not.toContain('secret')
})
