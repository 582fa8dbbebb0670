import { signIn } from './run-product.ts'
import type { Upstream } from './run-upstream.ts'
import type { TaxAuthority } from './tax-authority.ts'

interface Upstreams {
  url: string
  source: Upstream
  authority: TaxAuthority
}

/** Registers both upstreams with their endpoints; the ids of these by their summery. */
export async function registerEndpoints({ url, source, authority }: Upstreams) {
  const call = await signIn(url)
  const create = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return (answer.body as { id: number }).id
  }
  const api = (name: string, api_url: string) =>
    create('/api/apis', {
      name,
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url,
      // A busy machine must not look like an authority that does not answer.
      answer_timeout_ms: 600_000,
    })
  const endpoint = (api_id: number, method_type: string, path: string, summery: string) =>
    create('/api/endpoint', {
      api_id,
      method_type,
      status: 'active',
      path,
      summery,
      description: summery,
      ...(method_type === 'post' ? { run_settings: { reference_path: 'reference' } } : {}),
    })
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
