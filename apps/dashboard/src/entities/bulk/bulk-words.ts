import type { BulkOutcome, EndpointBulkAction, Permission } from '@gatehouse/contract'

export type BulkKind = 'apis' | 'endpoints'
export type BulkVerb = EndpointBulkAction | 'grant'

interface Words {
  label: string
  /** What will happen. */
  says: string
  permissions: readonly Permission[]
  isHarmless?: true
}

const nounOf = { apis: 'API', endpoints: 'endpoint' } as const

export const countOf = (kind: BulkKind, count: number) =>
  `${count} ${nounOf[kind]}${count === 1 ? '' : 's'}`

const tagWords = 'They get the tags to add and lose those to remove. Other tags stay.'

/** In the order of the bar. */
export const bulkWords: Record<BulkKind, Partial<Record<BulkVerb, Words>>> = {
  apis: {
    enable: {
      label: 'Enable',
      says: 'The gateway serves their active endpoints again.',
      permissions: ['api.edit'],
      isHarmless: true,
    },
    disable: {
      label: 'Disable',
      says: 'The gateway stops answering at every endpoint of them, at once.',
      permissions: ['api.edit'],
    },
    tag: { label: 'Tag', says: tagWords, permissions: ['api.edit'], isHarmless: true },
    delete: {
      label: 'Delete',
      says: 'They are deleted, with the credentials stored for them. One that still has endpoints is left. You can undo this for 10 seconds.',
      permissions: ['api.delete'],
    },
  },
  endpoints: {
    enable: {
      label: 'Enable',
      says: 'The gateway serves them again.',
      permissions: ['endpoint.edit'],
      isHarmless: true,
    },
    disable: {
      label: 'Disable',
      says: 'The gateway and new runs stop calling them, at once.',
      permissions: ['endpoint.edit'],
    },
    tag: { label: 'Tag', says: tagWords, permissions: ['endpoint.edit'], isHarmless: true },
    require_token: {
      label: 'Require a token',
      says: 'The gateway then lets in only callers whose personal token has access, at once.',
      permissions: ['endpoint.edit'],
    },
    grant: {
      label: 'Grant access',
      says: 'Users with the role may call them, beside what the role may call already.',
      permissions: ['api-permission.edit', 'role.view'],
      isHarmless: true,
    },
    delete: {
      label: 'Delete',
      says: 'They are deleted, and with them the access that roles have to them. One that a workflow or a status query calls is left. You can undo this for 10 seconds.',
      permissions: ['endpoint.delete'],
    },
  },
}

/** What a user may do to several rows of a list. */
export const verbsFor = (kind: BulkKind, can: (permission: Permission) => boolean) =>
  (Object.entries(bulkWords[kind]) as [BulkVerb, Words][]).flatMap(([verb, words]) =>
    words.permissions.every(can) ? [{ verb, ...words }] : [],
  )

export const outcomeWords = ({ outcome, message }: BulkOutcome): string =>
  message ?? (outcome === 'done' ? 'Done' : 'Was so already')
