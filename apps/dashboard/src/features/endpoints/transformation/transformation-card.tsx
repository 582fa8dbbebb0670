import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import { Loading } from '../../../ui/page/loading.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'

// Its tables are large, and most endpoints change nothing.
const TransformationFields = lazyPart(
  async () => (await import('./transformation-fields.tsx')).TransformationFields,
  <Loading />,
)

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
      <TransformationFields form={form} />
    </Disclosure>
  )
}

function noteOf(isRequest: boolean, isAnswer: boolean): string {
  if (isRequest && isAnswer) return 'Requests and answers are changed.'
  if (isRequest) return 'Requests are changed.'
  return isAnswer ? 'Answers are changed.' : 'Nothing is changed.'
}
