import type { CallInput, Routes, TokenDetail, TokenLimits } from '@gatehouse/contract'

type LimitsBody = CallInput<Routes['PUT /api/token/:id/limits']>['body']['limits']

/** The limits of a token as their fields hold them: ids as text. */
export interface LimitValues {
  endpoints: string[]
  workflows: string[]
  methods: TokenLimits['methods']
  client_addresses: NonNullable<TokenLimits['client_addresses']>
  /** Blank: any number. */
  quota: { per_day: number | string; per_month: number | string }
}

export const noLimitValues: LimitValues = {
  endpoints: [],
  workflows: [],
  methods: [],
  client_addresses: { allow: [], deny: [] },
  quota: { per_day: '', per_month: '' },
}

export const toLimitValues = ({ token }: TokenDetail): LimitValues => ({
  endpoints: token.limits.endpoints.map(String),
  workflows: token.limits.workflows.map(String),
  methods: token.limits.methods,
  client_addresses: token.limits.client_addresses ?? noLimitValues.client_addresses,
  quota: {
    per_day: token.limits.quota?.per_day ?? '',
    per_month: token.limits.quota?.per_month ?? '',
  },
})

export function toLimitsBody(values: LimitValues): LimitsBody {
  const { endpoints, workflows, methods, client_addresses, quota } = values
  return {
    endpoints: endpoints.map(Number),
    workflows: workflows.map(Number),
    methods,
    client_addresses: hasNone(client_addresses) ? null : client_addresses,
    quota,
  }
}

/** Whether the fields were left as they are for a token without limits. */
export const limitsNothing = ({ client_addresses, quota, ...lists }: LimitValues): boolean =>
  hasNone(client_addresses) &&
  Object.values(quota).every((each) => each === '') &&
  Object.values(lists).every((list) => list.length === 0)

const hasNone = ({ allow, deny }: LimitValues['client_addresses']) =>
  allow.length + deny.length === 0
