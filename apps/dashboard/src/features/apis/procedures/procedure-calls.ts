import type { CallInput, Routes, TestedConnection } from '@gatehouse/contract'
import { call } from '../../../lib/calls/call.ts'
import { callText } from '../../../lib/calls/call-bodies.ts'
import type { ApiFormState, ApiFormValues } from '../form/api-form-values.ts'
import { CallError } from '../../../lib/calls/call-error.ts'
import { firstMessages } from '../../../lib/forms/field-errors.ts'
import { useMutation } from '../../../lib/calls/use-mutation.ts'

type ConnectionInput = CallInput<Routes['POST /api/apis/test-connection']>['body']

/** What the form says of the database, saved or not. */
function toConnection(values: ApiFormValues): ConnectionInput {
  const { driver, host, port, database, username, password } = values
  const { db_tls, db_ca, connect_timeout_ms } = values
  return { driver, host, port, database, username, password, db_tls, db_ca, connect_timeout_ms }
}

/** Puts the messages of a 422 under the form's own fields. */
function showFieldErrors(form: ApiFormState, error: unknown): void {
  if (error instanceof CallError && error.status === 422)
    form.setErrors(firstMessages(error.errors))
}

/** `apiId` is undefined on the create form; on the edit form a blank password means the stored one. */
export function useTestConnection(form: ApiFormState, apiId: number | undefined) {
  return useMutation({
    mutationFn: (): Promise<TestedConnection> => {
      form.clearErrors()
      const body = toConnection(form.values)
      return apiId === undefined
        ? call('POST /api/apis/test-connection', { body })
        : call('POST /api/apis/:id/test-connection', { params: { id: apiId }, body })
    },
    onError: (error) => showFieldErrors(form, error),
  })
}

export interface SampleResult {
  /** Pretty-printed, numbers as they came. */
  text: string
  isRolledBack: boolean
}

export function useRunSample(form: ApiFormState, apiId: number | undefined) {
  return useMutation({
    mutationFn: async (values: string): Promise<SampleResult> => {
      form.clearErrors()
      const body = { ...toConnection(form.values), func_name: form.values.func_name, values }
      const answer =
        apiId === undefined
          ? await callText('POST /api/apis/run-sample', { body })
          : await callText('POST /api/apis/:id/run-sample', { params: { id: apiId }, body })
      // Only who runs a sample needs the reader of exact numbers.
      const { isExactObject, parseExact, stringifyExact } =
        await import('@gatehouse/contract/mapping')
      const read = parseExact(answer, { maxBytes: 64 * 1024 * 1024, maxDepth: 100 })
      const result = isExactObject(read) ? read : {}
      return {
        text: stringifyExact(result['body'] ?? null, 2),
        isRolledBack: result['is_rolled_back'] !== false,
      }
    },
    onError: (error) => showFieldErrors(form, error),
  })
}
