import { Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { AnswerRuleFields } from '../../../entities/answer-rule/answer-rule-fields.tsx'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { Fold } from '../../../ui/page/fold.tsx'
import { partIn, partOf } from '../../../lib/forms/form-part.ts'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { DocumentListFields } from './document-list-fields.tsx'
import { PendingFields } from './pending-fields.tsx'
import { effects } from './run-settings-words.ts'
import { RunProfileField } from './run-profile-field.tsx'
import classes from './run-settings-fields.module.css'
import { StatusQueryFields } from './status-query-fields.tsx'

const AnswerBench = lazyPart(
  async () => (await import('../answer-bench/answer-bench.tsx')).AnswerBench,
)

interface FieldsProps {
  form: EndpointFormState
}

export function RunSettingsFields({ form }: FieldsProps) {
  return (
    <Stack gap="lg">
      <RunProfileField form={form} />
      <Select
        label="Effect"
        description="Decides what happens when no answer arrives: a submit is then unknown, and is not sent again automatically."
        data={effects}
        allowDeselect={false}
        {...form.getInputProps('run_settings.effect')}
      />
      <TextInput
        label="Content type"
        description="Of the body of a POST, PUT or PATCH. Blank: application/json. XML, forms and other text are sent as they are typed."
        placeholder="application/json"
        maxLength={100}
        spellCheck={false}
        dir="ltr"
        {...form.getInputProps('run_settings.content_type')}
      />
      <Section title="How answers are read">
        <AnswerRules form={form} />
      </Section>
      <Section title="Sending again">
        <SendingAgain form={form} />
      </Section>
      <Section title="Documents">
        <DocumentListFields form={form} />
        <Documents form={form} />
      </Section>
      <Section title="Try these rules">
        <Fold title="Try them on an answer">
          <AnswerBench form={form} />
        </Fold>
      </Section>
    </Stack>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes['section']}>
      <h4 className={classes['title']}>{title}</h4>
      <Stack gap="lg">{children}</Stack>
    </section>
  )
}

function AnswerRules({ form }: FieldsProps) {
  const part = partOf(form, 'run_settings')
  return (
    <>
      <AnswerRuleFields
        part={partIn(part, 'success_rule')}
        label="Success rule"
        description="Which 2xx answer is a success. Blank: every one but 208."
        statusesPlaceholder="200-299"
      />
      <AnswerRuleFields
        part={partIn(part, 'rejection_rule')}
        label="Rejection rule"
        description="Which 2xx answer is a refusal. Blank: every one that is no success. With a rule, an answer that fits neither is unknown, for a person to decide."
        statusesPlaceholder="200-299"
      />
      <AnswerRuleFields
        part={partIn(part, 'duplicate_rule')}
        label="Duplicate rule"
        description="Which answer says “I already have this”. Blank: 208. To the same bytes sent again it counts as success; to a first attempt it waits for a person."
        statusesPlaceholder="208"
      />
    </>
  )
}

/** What is done without a person about an unknown outcome. */
function Healing({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="Healing"
        description="What is done without a person about an unknown outcome of a run that a machine started."
        data={[
          { value: '', label: 'Ask, where there is a status query' },
          { value: 'off', label: 'Nothing' },
          { value: 'ask', label: 'Ask' },
          { value: 'ask_and_send', label: 'Ask, and send again what was not received' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('run_settings.healing')}
      />
      <TextInput
        label="For how many hours"
        description="Blank: 24. After that a person decides."
        inputMode="numeric"
        {...form.getInputProps('run_settings.healing_hours')}
      />
    </SimpleGrid>
  )
}

const switchNames = { label: classes['switch'] ?? '' }

function SendingAgain({ form }: FieldsProps) {
  const { is_duplicate_safe, has_status_query } = form.values.run_settings
  return (
    <>
      <div>
        <Switch
          label="Duplicate-safe"
          classNames={switchNames}
          {...form.getInputProps('run_settings.is_duplicate_safe', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed" mt={4}>
          The same bytes may be sent again without a second effect. An unknown outcome can then be
          settled by sending them once more.
        </Text>
      </div>
      {is_duplicate_safe && (
        <TextInput
          label="For how many minutes after the first attempt"
          description="Blank: always."
          inputMode="numeric"
          maw={320}
          {...form.getInputProps('run_settings.duplicate_safe_minutes')}
        />
      )}
      <TextInput
        label="Idempotency header"
        description="Carries a UUID that stays the same for every attempt of a step. Blank: none is sent."
        placeholder="Idempotency-Key"
        spellCheck={false}
        {...form.getInputProps('run_settings.idempotency_header')}
      />
      <div>
        <Switch
          label="Status query"
          classNames={switchNames}
          {...form.getInputProps('run_settings.has_status_query', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed" mt={4}>
          Another endpoint can be asked what became of a document whose outcome is unknown.
        </Text>
      </div>
      {has_status_query && <StatusQueryFields form={form} />}
      {has_status_query && <PendingFields form={form} />}
      {(has_status_query || is_duplicate_safe) && <Healing form={form} />}
    </>
  )
}

const paths = [
  {
    field: 'reference_path',
    label: 'Document reference path',
    description:
      'In the request: one value for the whole body, no lists. Once accepted, it is never sent again.',
    placeholder: 'invoice.number',
  },
  {
    field: 'original_reference_path',
    label: 'Original reference path',
    description: 'In the request of a credit note: the reference of what it credits.',
    placeholder: 'invoice.credits',
  },
  {
    field: 'message_path',
    label: 'Message paths',
    description: 'In any answer, by comma: reasons of a refusal and warnings, shown with the step.',
    placeholder: 'errors[*].message, warnings[*].message',
  },
  {
    field: 'authority_reference_path',
    label: 'Authority reference path',
    description: 'In the answer: the number that the authority gave.',
    placeholder: 'result.number',
  },
  {
    field: 'qr_path',
    label: 'QR path',
    description: 'In the answer: the text of the QR code.',
    placeholder: 'result.qr',
  },
  {
    field: 'wait_path',
    label: 'Wait path',
    description: 'In an answer that asks to wait: seconds, or a moment. Beside Retry-After.',
    placeholder: 'error.retry_after',
  },
]

const inRequest = new Set(['reference_path', 'original_reference_path'])

function Documents({ form }: FieldsProps) {
  const { has_documents } = form.values.run_settings
  // The references of several documents are inside their list.
  const shown = has_documents ? paths.filter(({ field }) => !inRequest.has(field)) : paths
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {shown.map(({ field, ...texts }) => (
        <TextInput
          key={field}
          {...texts}
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps(`run_settings.${field}`)}
        />
      ))}
    </SimpleGrid>
  )
}
