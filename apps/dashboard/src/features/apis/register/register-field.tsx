import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { registerQueries } from '../../../entities/document/register-queries.ts'
import type { ApiFormState } from '../form/api-form-values.ts'

interface RegisterFieldProps {
  form: ApiFormState
  /** Undefined while the API is new. */
  apiId: number | undefined
}

/** All APIs of before there were registers have it. */
const ofBefore = 'default'

/** Where documents that go to the API are known once, and which other APIs share that. */
export function RegisterField({ form, apiId }: RegisterFieldProps) {
  const { data = [] } = useQuery(registerQueries.list())
  const { name, document_register: typed } = form.values
  const register = typed.trim()
  const others = data.find((each) => each.name === register)?.apis.filter(({ id }) => id !== apiId)
  return (
    <div>
      <TextInput
        label="Document register"
        description="A document number is known once in its register. APIs that reach the same authority for the same company share one by naming it."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={apiId === undefined ? name.slice(0, 80) : ''}
        maxLength={80}
        {...form.getInputProps('document_register')}
      />
      {others && others.length > 0 && (
        <Text size="xs" mt={4} style={{ overflowWrap: 'anywhere' }}>
          Shared with: <bdi>{others.map((api) => api.name).join(', ')}</bdi>
        </Text>
      )}
      {apiId !== undefined && register === ofBefore && (
        <Text size="xs" mt={4}>
          APIs of before have this register. Type another name to separate the numbers of this API.
        </Text>
      )}
    </div>
  )
}
