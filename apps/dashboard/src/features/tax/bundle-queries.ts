import { queryOptions } from '@tanstack/react-query'
import { call, callWithHeaders } from '../../lib/call.ts'
import {
  toCreditBody,
  toTaxBody,
  type BundleForm,
  type BundleKind,
  type BundleTokens,
} from './bundle-form.ts'

export const bundleQueries = {
  /** Endpoints to choose from: those that are active and that the user has access to. */
  choices: (kind: BundleKind) =>
    queryOptions({
      queryKey: [kind, 'choices'],
      queryFn: async ({ signal }) => {
        const key = kind === 'tax' ? 'GET /api/tax' : 'GET /api/credit/tax'
        const [choices] = await call(key, { signal })
        return choices
      },
    }),
}

/** Not to be aborted: what has been sent is seen through to its answer. */
export async function sendBundle(kind: BundleKind, form: BundleForm, tokens: BundleTokens) {
  const headers = { 'Idempotency-Key': form.key }
  const reply =
    kind === 'tax'
      ? await callWithHeaders('POST /api/tax', { body: toTaxBody(form, tokens), headers })
      : await callWithHeaders('POST /api/credit/tax', { body: toCreditBody(form, tokens), headers })
  return {
    run: reply.answer.run,
    isReplay: reply.headers.get('idempotent-replay') === 'true',
  }
}

export function previewBundle(kind: BundleKind, form: BundleForm, tokens: BundleTokens) {
  return kind === 'tax'
    ? call('POST /api/tax/preview', { body: toTaxBody(form, tokens) })
    : call('POST /api/credit/tax/preview', { body: toCreditBody(form, tokens) })
}
