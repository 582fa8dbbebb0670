import { violationOf, type Violation } from '../db/constraints.ts'
import { isStoreFull } from '../db/outages/store-refusal.ts'
import { AppError, fieldError } from './app-error.ts'

/** Fields of forms, by the column that keeps their values apart. */
const uniqueFields: Record<string, string> = {
  'api.name_key': 'name',
  'api.context': 'context',
  'endpoint.path_key': 'path',
  'role.name_key': 'name',
  'user.email_key': 'email',
  'user.username_key': 'username',
}

/** Fields of forms, by the column that refers to what was chosen in them, and their messages. */
const choiceFields: Record<string, readonly [field: string, message: string]> = {
  'endpoint.api_id': ['api_id', 'Choose an API from the list.'],
  'endpoint.status_endpoint_id': [
    'run_settings.status_query.endpoint_id',
    'Choose an endpoint from the list.',
  ],
  'personal_token.user_id': ['user', 'Choose a user from the list.'],
  'role_endpoint.endpoint_id': ['endpoints', 'Choose endpoints from the list.'],
  'workflow_endpoint.endpoint_id': ['steps', 'Choose endpoints from the list.'],
  'user_role.role_id': ['roles', 'Choose roles from the list.'],
}

/**
 * What a refusal of the database means to the caller; undefined: a bug. Services check before
 * they write, which gives better messages. This function covers what they can't see: a commit of another call
 * in the meantime, and a full disk.
 */
export function storeRefusalOf(error: unknown): AppError | undefined {
  if (isStoreFull(error)) return new AppError('store.full', { cause: error })
  // PostgreSQL takes no NUL in text and no greater number than its columns hold.
  if (isUnstorable(error)) return new AppError('request.malformed', { cause: error })
  const violation = violationOf(error)
  return violation && refusalOf(violation, error)
}

/** numeric_value_out_of_range, character_not_in_repertoire, untranslatable_character */
const isUnstorable = (error: unknown) =>
  error instanceof Error &&
  ['22003', '22021', '22P05'].includes((error as { code?: string }).code ?? '')

function refusalOf(violation: Violation, cause: unknown): AppError {
  if (violation.kind === 'unique') {
    const field = violation.columns.flatMap((column) => uniqueFields[column] ?? [])[0]
    return field === undefined
      ? new AppError('record.conflict', { cause })
      : fieldError({ [field]: ['This value is already in use.'] })
  }
  const { kind, column } = violation
  if (kind === 'referenced') return stillReferenced(column, cause)
  const choice = column === null ? undefined : choiceFields[column]
  return choice
    ? fieldError({ [choice[0]]: [choice[1]] })
    : new AppError('record.conflict', { cause })
}

function stillReferenced(column: string | null, cause: unknown): AppError {
  if (column === 'endpoint.api_id') return new AppError('api.has_endpoints', { cause })
  if (column === 'endpoint.status_endpoint_id') return new AppError('endpoint.in_use', { cause })
  if (column === 'workflow_endpoint.endpoint_id')
    return new AppError('endpoint.in_workflow', { cause })
  return new AppError('record.conflict', { cause })
}
