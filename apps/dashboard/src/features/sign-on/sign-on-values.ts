import type { CallInput, Routes, SignOnRecord } from '@gatehouse/contract'
import type { ClaimedRole } from '../../entities/role/claimed-roles.tsx'

export type SignOnBody = CallInput<Routes['PUT /api/sign-on']>['body']

export interface SignOnValues extends Record<string, unknown> {
  name: string
  is_active: boolean
  issuer: string
  client_id: string
  client_secret: string
  scopes: string
  role_claim: string
  roles: ClaimedRole[]
  creates_users: boolean
  signs_out: boolean
}

export const toSignOnValues = (record: SignOnRecord | null): SignOnValues => ({
  name: record?.name ?? '',
  is_active: record?.is_active ?? true,
  issuer: record?.issuer ?? '',
  client_id: record?.client_id ?? '',
  client_secret: '',
  scopes: record?.scopes ?? 'openid email profile',
  role_claim: record?.role_claim ?? 'groups',
  roles: (record?.roles ?? []).map(({ value, role_id }) => ({ value, role_id: String(role_id) })),
  creates_users: record?.creates_users ?? false,
  signs_out: record?.signs_out ?? false,
})

export const toSignOnBody = (values: SignOnValues, version?: number): SignOnBody => ({
  ...values,
  roles: values.roles.map(({ value, role_id }) => ({ value, role_id: Number(role_id ?? 0) })),
  ...(version === undefined ? {} : { version }),
})
