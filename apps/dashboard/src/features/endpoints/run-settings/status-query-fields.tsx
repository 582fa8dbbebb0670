import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AnswerRuleFields } from '../../../entities/answer-rule/answer-rule-fields.tsx'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { partIn, partOf } from '../../../lib/forms/form-part.ts'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { endpointQueries } from '../endpoint-queries.ts'

const base = 'run_settings.status_query'

/** Which endpoint is asked what became of a document, and how its answer is read. */
export function StatusQueryFields({ form }: { form: EndpointFormState }) {
  const part = partIn(partOf(form, 'run_settings'), 'status_query')
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <StatusEndpointSelect form={form} />
        <TextInput
          label="Parameter"
          description="Carries what is asked by, in its path or its query: the document’s reference, or a value of the answer."
          spellCheck={false}
          {...form.getInputProps(`${base}.parameter`)}
        />
      </SimpleGrid>
      <TextInput
        label="Parameter of the document’s own number"
        description="Where the parameter carries a value of the answer and that was lost: the query parameter that finds a document by its own number, so that healing can ask. Blank: a person types the value."
        spellCheck={false}
        dir="ltr"
        {...form.getInputProps(`${base}.reference_parameter`)}
      />
      <AnswerRuleFields
        part={partIn(part, 'received')}
        label="It was received when"
        description="The step then counts as succeeded."
        statusesPlaceholder="any status"
      />
      <AnswerRuleFields
        part={partIn(part, 'not_received')}
        label="It was not received when"
        description="Said twice, after the quiet period, it lets the same bytes be sent again. An answer that fits neither leaves it unknown."
        statusesPlaceholder="any status"
      />
      <AnswerRuleFields
        part={partIn(part, 'rejected')}
        label="It was rejected when"
        description="The authority has refused it. Blank: no answer says so. After a lost answer it counts when it was said twice."
        statusesPlaceholder="any status"
      />
      <AnswerRuleFields
        part={partIn(part, 'pending')}
        label="It is not decided yet when"
        description="Blank: no answer says so. It is asked again later."
        statusesPlaceholder="any status"
      />
      <TextInput
        label="Messages in this answer"
        description="Path to why it was rejected."
        placeholder="errors[*].message"
        spellCheck={false}
        dir="ltr"
        {...form.getInputProps(`${base}.message_path`)}
      />
      <TextInput
        label="Quiet period in seconds"
        description="The endpoint may still be working on a request this long after its last attempt: “not received” counts only after that, and when it was said twice. Blank: 120."
        inputMode="numeric"
        {...form.getInputProps(`${base}.quiet_seconds`)}
      />
      <TextInput
        label="Authority reference in this answer"
        description="Path into the status answer."
        placeholder="document.number"
        spellCheck={false}
        dir="ltr"
        {...form.getInputProps(`${base}.reference_path`)}
      />
    </>
  )
}

function StatusEndpointSelect({ form }: { form: EndpointFormState }) {
  const chosen = form.values.run_settings.status_query.endpoint_id
  const list = useQuery(endpointQueries.askable())
  const found = (list.data ?? []).map(({ id, summery, api }) => ({
    value: String(id),
    label: `${summery} (${api.name}, ${id})`,
  }))
  // One that has been disabled since keeps its place.
  const isKnown = chosen === '' || found.some(({ value }) => value === chosen)
  const { error, ...field } = form.getInputProps(`${base}.endpoint_id`)
  return (
    <Select
      // The list names what was chosen before it arrived.
      key={list.isPending ? 'loading' : 'loaded'}
      label="Endpoint that is asked"
      description="An active GET endpoint that only reads."
      placeholder="Choose an endpoint"
      data={isKnown ? found : [...found, { value: chosen, label: `Endpoint ${chosen}` }]}
      searchable
      allowDeselect={false}
      nothingFoundMessage={list.isPending ? 'Loading…' : 'No such endpoint'}
      error={error ?? (list.isError ? messageOf(list.error) : undefined)}
      {...field}
    />
  )
}
