import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { AnswerRuleFields } from '../../../entities/answer-rule/answer-rule-fields.tsx'
import { partIn, partOf } from '../../../lib/forms/form-part.ts'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import classes from './run-settings-fields.module.css'

const base = 'run_settings.documents'

interface PathField {
  field: string
  label: string
  description: string
  placeholder: string
}

const inRequest: PathField[] = [
  {
    field: 'items_path',
    label: 'List of documents',
    description: 'In the request.',
    placeholder: 'documents',
  },
  {
    field: 'reference_path',
    label: 'Reference of a document',
    description: 'Inside an element of that list.',
    placeholder: 'codeNumber',
  },
  {
    field: 'original_reference_path',
    label: 'Original reference of a credit note',
    description: 'Inside an element; blank: none.',
    placeholder: 'credits',
  },
]

const inAnswer: PathField[] = [
  {
    field: 'accepted_path',
    label: 'Accepted documents',
    description: 'A list in the answer. What neither list names is unknown.',
    placeholder: 'acceptedDocuments',
  },
  {
    field: 'rejected_path',
    label: 'Rejected documents',
    description: 'A list in the answer.',
    placeholder: 'rejectedDocuments',
  },
  {
    field: 'answer_reference_path',
    label: 'Reference in these lists',
    description: 'Inside an element. Blank: the element is the reference.',
    placeholder: 'invoiceCodeNumber',
  },
  {
    field: 'authority_reference_path',
    label: 'Authority reference in these lists',
    description: 'Inside an element.',
    placeholder: 'uuid',
  },
  {
    field: 'message_path',
    label: 'Messages in these lists',
    description: 'Inside an element: why it was rejected.',
    placeholder: 'error.message',
  },
]

const inPoll: PathField[] = [
  {
    field: 'poll.list_path',
    label: 'List in the status answer',
    description: 'Names the documents once they are decided.',
    placeholder: 'documentSummary',
  },
  {
    field: 'poll.reference_path',
    label: 'Reference in that list',
    description: 'Inside an element.',
    placeholder: 'internalId',
  },
  {
    field: 'poll.authority_reference_path',
    label: 'Authority reference in that list',
    description: 'Inside an element.',
    placeholder: 'uuid',
  },
  {
    field: 'poll.qr_path',
    label: 'QR code in that list',
    description: 'Inside an element.',
    placeholder: 'qr',
  },
  {
    field: 'poll.message_path',
    label: 'Messages in that list',
    description: 'Inside an element: why it was rejected.',
    placeholder: 'errors[*].message',
  },
  {
    field: 'poll.page_parameter',
    label: 'Page parameter',
    description: 'Of the query, for the pages behind the first. Blank: none.',
    placeholder: 'pageNo',
  },
  {
    field: 'poll.next_path',
    label: 'Next page in the answer',
    description:
      'Its address, or the value of the page parameter. A Link header needs nothing here.',
    placeholder: 'next',
  },
]

/** A request that carries several documents, each with its own outcome. */
export function DocumentListFields({ form }: { form: EndpointFormState }) {
  const { has_documents, has_status_query, has_pending } = form.values.run_settings
  const poll = partIn(partIn(partOf(form, 'run_settings'), 'documents'), 'poll')
  return (
    <>
      <div>
        <Switch
          label="Several documents in one request"
          classNames={{ label: classes['switch'] ?? '' }}
          {...form.getInputProps('run_settings.has_documents', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed" mt={4}>
          Each document of a list has its own outcome. A correction carries only those that were
          rejected.
        </Text>
      </div>
      {has_documents && (
        <Stack gap="lg">
          <Paths form={form} paths={inRequest} />
          <Paths form={form} paths={inAnswer} />
          <AnswerRuleFields
            part={partIn(partIn(partOf(form, 'run_settings'), 'documents'), 'duplicate')}
            label="A rejected document is already there when"
            description="About one element of the rejected. The step is blocked until a person has looked. Statuses stay blank."
            statusesPlaceholder="blank"
          />
          {has_status_query && has_pending && (
            <>
              <Paths form={form} paths={inPoll} />
              <AnswerRuleFields
                part={partIn(poll, 'accepted')}
                label="A document was accepted when"
                description="About one element of the list in the status answer. Statuses stay blank."
                statusesPlaceholder="blank"
              />
              <AnswerRuleFields
                part={partIn(poll, 'rejected')}
                label="A document was rejected when"
                description="An element that fits neither rule is not decided yet."
                statusesPlaceholder="blank"
              />
            </>
          )}
        </Stack>
      )}
    </>
  )
}

function Paths({ form, paths }: { form: EndpointFormState; paths: PathField[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {paths.map(({ field, ...texts }) => (
        <TextInput
          key={field}
          {...texts}
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps(`${base}.${field}`)}
        />
      ))}
    </SimpleGrid>
  )
}
