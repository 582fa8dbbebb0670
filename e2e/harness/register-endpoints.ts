import { creatorOf } from './creator.ts'
import type { Upstream } from './upstreams/run-upstream.ts'
import type { TaxAuthority } from './upstreams/tax-authority.ts'

interface Upstreams {
  url: string
  source: Upstream
  authority: TaxAuthority
}

/** Registers both upstreams with their endpoints; the ids of these by their summery. */
export async function registerEndpoints({ url, source, authority }: Upstreams) {
  const { createApi, createEndpoint } = await creatorOf(url)
  const api = (name: string, api_url: string) =>
    // A busy machine must not look like an authority that does not answer.
    createApi(name, api_url, { answer_timeout_ms: 600_000 })
  const endpoint = (api_id: number, method: string, path: string, summery: string) =>
    createEndpoint(
      api_id,
      [method, path, summery],
      method === 'post' ? { run_settings: { reference_path: 'reference' } } : {},
    )
  const posts = await api('Posts', source.url)
  const tax = await api('Authority', authority.url)
  return {
    'Read a post': await endpoint(posts, 'get', '/posts/{id}', 'Read a post'),
    'File an invoice': await endpoint(tax, 'post', '/invoices', 'File an invoice'),
    'Slow approval': await endpoint(tax, 'post', '/slow', 'Slow approval'),
    'Authority that cuts': await endpoint(tax, 'post', '/cut', 'Authority that cuts'),
    'Strict authority': await endpoint(tax, 'post', '/strict', 'Strict authority'),
  }
}
