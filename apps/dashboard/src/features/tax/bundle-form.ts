import type { CallInput, Routes } from '@gatehouse/contract'
import { newUuid } from '../../lib/calls/new-uuid.ts'

export type BundleKind = 'tax' | 'credit'

/** Steps of each kind (spec: limits). */
const stepCounts = { tax: 4, credit: 3 } as const

const dependencyFieldDefault = 'id,title'

export interface BundleStep {
  /** Id as text, as the selects have it; null while nothing is chosen. */
  endpoint: string | null
  body: string
}

/** What survives a reload of the page. Tokens never do. */
export interface BundleForm {
  isTest: boolean
  /** Healing asks where an outcome stays unknown. */
  heals: boolean
  isDependent: boolean
  dependencyField: string
  steps: BundleStep[]
  /** Idempotency-Key of the next Send; a new one after a definite result (spec: idempotency). */
  key: string
  /** Key of the last Send, whose run the page shows. */
  sentKey: string | null
  /** Edited since then. */
  isChanged: boolean
}

/** Endpoint 1 has the get token, all others share the post token (spec: screens). */
export interface BundleTokens {
  get: string
  post: string
}

export function blankBundle(kind: BundleKind): BundleForm {
  return {
    isTest: false,
    heals: false,
    isDependent: false,
    dependencyField: dependencyFieldDefault,
    steps: Array.from({ length: stepCounts[kind] }, () => ({ endpoint: null, body: '' })),
    key: newUuid(),
    sentKey: null,
    isChanged: true,
  }
}

export const tokenOf = (tokens: BundleTokens, position: number) =>
  position === 1 ? tokens.get : tokens.post

type TaxBody = CallInput<Routes['POST /api/tax']>['body']
type CreditBody = CallInput<Routes['POST /api/credit/tax']>['body']

export function toTaxBody(form: BundleForm, tokens: BundleTokens): TaxBody {
  const dependency_field = form.isDependent ? form.dependencyField : ''
  return {
    endpoint_1: toEndpoint(form, tokens, 1),
    endpoint_2: {
      ...toEndpoint(form, tokens, 2),
      dependency_field,
      is_dependent: form.isDependent,
    },
    endpoint_3: toEndpoint(form, tokens, 3),
    endpoint_4: toEndpoint(form, tokens, 4),
    ...healing(form),
  }
}

export function toCreditBody(form: BundleForm, tokens: BundleTokens): CreditBody {
  return {
    endpoint_1: toEndpoint(form, tokens, 1),
    endpoint_2: toEndpoint(form, tokens, 2),
    endpoint_3: toEndpoint(form, tokens, 3),
    ...healing(form),
  }
}

const healing = ({ heals }: BundleForm) => (heals ? { heal: true } : {})

function toEndpoint(form: BundleForm, tokens: BundleTokens, position: number) {
  const step = form.steps[position - 1]
  return {
    end_point: step?.endpoint ?? null,
    body: step?.body ?? '',
    token: tokenOf(tokens, position),
    test_invoice: form.isTest,
  }
}
