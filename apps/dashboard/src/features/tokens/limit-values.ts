import type { CallInput, Routes, TokenDetail, TokenLimits } from '@gatehouse/contract'

type LimitsBody = CallInput<Routes['PUT /api/token/:id/limits']>['body']['limits']

/** The limits of a token as their fields hold them: ids as text. */
export interface LimitValues {
  endpoints: string[]
  workflows: string[]
  methods: TokenLimits['methods']
}

export const noLimitValues: LimitValues = { endpoints: [], workflows: [], methods: [] }

export const toLimitValues = ({ token }: TokenDetail): LimitValues => ({
  endpoints: token.limits.endpoints.map(String),
  workflows: token.limits.workflows.map(String),
  methods: token.limits.methods,
})

export const toLimitsBody = ({ endpoints, workflows, methods }: LimitValues): LimitsBody => ({
  endpoints: endpoints.map(Number),
  workflows: workflows.map(Number),
  methods,
})
