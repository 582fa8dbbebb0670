import { Stack } from '@mantine/core'
import { Disclosure } from '../../ui/disclosure.tsx'
import { CodeArea } from './code-area.tsx'
import type { EndpointFormState } from './endpoint-form-values.ts'

/** What the gateway changes in requests before they go on, and in answers before they come back. */
export function TransformationCard({ form }: { form: EndpointFormState }) {
  const { transformation } = form.values
  const { request_rules, request_body, answer_rules, answer_body } = transformation
  const isRequest = [request_rules, request_body].some((each) => each.trim() !== '')
  const isAnswer = [answer_rules, answer_body].some((each) => each.trim() !== '')
  return (
    <Disclosure
      title="Transformation"
      note={noteOf(isRequest, isAnswer)}
      isOpenWhen={Object.keys(form.errors).some((field) => field.startsWith('transformation.'))}
    >
      <Stack gap="md">
        <CodeArea
          form={form}
          field="transformation.request_rules"
          label="Rules for requests"
          hint={rulesHint}
        />
        <CodeArea
          form={form}
          field="transformation.request_body"
          label="Body of requests"
          hint={bodyHint}
        />
        <CodeArea
          form={form}
          field="transformation.answer_rules"
          label="Rules for answers"
          hint="The same for headers. {{status}} and {{headers.date}} are those of the answer."
        />
        <CodeArea
          form={form}
          field="transformation.answer_body"
          label="Body of answers"
          hint="The same, for answers of 2xx. Custom output goes before it."
        />
      </Stack>
    </Disclosure>
  )
}

const rulesHint =
  'One a line: set header X-Kind: {{query.kind}}, remove header X-Old, rename header X-Old: X-New, ' +
  'set query page: 1, remove query debug, path /v2/orders/{{params.id}}.'

const bodyHint =
  'Mapping rows as JSON, such as [{"from":"total","to":"amount"}], or a template with {{body.total}}. ' +
  'Blank: the body stays as it is.'

function noteOf(isRequest: boolean, isAnswer: boolean): string {
  if (isRequest && isAnswer) return 'Requests and answers are changed.'
  if (isRequest) return 'Requests are changed.'
  return isAnswer ? 'Answers are changed.' : 'Nothing is changed.'
}
