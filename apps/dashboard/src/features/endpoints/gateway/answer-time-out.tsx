import { TextInput } from '@mantine/core'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'

/** How long the upstream may take here, where that is not as long as at the other endpoints of the API. */
export function AnswerTimeOut({ form }: { form: EndpointFormState }) {
  const timeout = form.values.answer_timeout_ms
  return (
    <Disclosure
      title="Answer time-out"
      note={timeout === '' ? 'That of the API.' : `${timeout} ms.`}
      isOpenWhen={form.errors['answer_timeout_ms'] !== undefined}
    >
      <TextInput
        label="Answer time-out"
        description="In milliseconds; blank: that of the API."
        inputMode="numeric"
        {...form.getInputProps('answer_timeout_ms')}
      />
    </Disclosure>
  )
}
