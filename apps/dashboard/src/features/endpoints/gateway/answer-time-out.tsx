import { TextInput } from '@mantine/core'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'

/** How long the upstream may take to answer, where this endpoint differs from its API. */
export function AnswerTimeOut({ form }: { form: EndpointFormState }) {
  const timeout = form.values.answer_timeout_ms
  return (
    <Disclosure
      title="Answer time-out"
      note={timeout === '' ? 'The API’s time-out.' : `${timeout} ms.`}
      isOpenWhen={form.errors['answer_timeout_ms'] !== undefined}
    >
      <TextInput
        label="Answer time-out"
        description="In milliseconds. Blank: the API’s time-out."
        inputMode="numeric"
        {...form.getInputProps('answer_timeout_ms')}
      />
    </Disclosure>
  )
}
