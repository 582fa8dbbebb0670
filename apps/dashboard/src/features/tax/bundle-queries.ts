import type { ChoiceSource } from '../../entities/endpoint/choice-source.tsx'
import { call, callWithHeaders } from '../../lib/calls/call.ts'
import { confirmingHeld } from '../../lib/forms/held-question.ts'
import {
  toCreditBody,
  toTaxBody,
  type BundleForm,
  type BundleKind,
  type BundleTokens,
} from './bundle-form.ts'

const sourceOf = (name: BundleKind, key: 'GET /api/tax' | 'GET /api/credit/tax'): ChoiceSource => ({
  name,
  load: async (query, signal) => (await call(key, { query, signal }))[0],
})

/** Endpoints to choose from: those that are active and that the user has access to. */
export const bundleChoices = {
  tax: sourceOf('tax', 'GET /api/tax'),
  credit: sourceOf('credit', 'GET /api/credit/tax'),
}

/** Not to be aborted: what has been sent is seen through to its answer. */
export async function sendBundle(kind: BundleKind, form: BundleForm, tokens: BundleTokens) {
  const headers = { 'Idempotency-Key': form.key }
  const reply = await confirmingHeld((confirmed) =>
    kind === 'tax'
      ? callWithHeaders('POST /api/tax', {
          body: { ...toTaxBody(form, tokens), ...confirmed },
          headers,
        })
      : callWithHeaders('POST /api/credit/tax', {
          body: { ...toCreditBody(form, tokens), ...confirmed },
          headers,
        }),
  )
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
