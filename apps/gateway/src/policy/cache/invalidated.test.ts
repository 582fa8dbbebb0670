import { expect, it } from 'vitest'
import { invalidatedBy } from './invalidated.ts'

const origin = {
  upstream: 'http://shop.example:8000',
  basePath: '/v2',
  prefix: '/sales',
  host: 'api.example',
  url: '/orders',
}

it.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ location: '/v2/orders/7?full=1' }, ['/orders/7?full=1']],
  [{ 'content-location': 'orders/7' }, ['/orders/7']],
  [{ location: 'http://shop.example:8000/v2/orders/7' }, ['/orders/7']],
  [{ location: 'https://API.example/sales/orders/7' }, ['/orders/7']],
  [{ location: '/sales/orders/7', 'content-location': '/v2/orders/8' }, ['/orders/7', '/orders/8']],
  // RFC 9111 §4.4: a cache MUST NOT do so for what is of another origin.
  [{ location: 'http://other.example/v2/orders/7' }, []],
  [{ location: 'http://shop.example:9000/v2/orders/7' }, []],
  [{ location: '/elsewhere' }, []],
  [{ location: 'http://[' }, []],
])('%j', (fields, urls) => {
  expect(invalidatedBy(fields, origin)).toEqual(urls)
})
