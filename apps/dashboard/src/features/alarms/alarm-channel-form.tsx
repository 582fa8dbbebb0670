import {
  Alert,
  Code,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Button,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import type { AlarmChannelRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { CallError } from '../../lib/calls/call-error.ts'
import { choiceWords } from '../../lib/format/choice-words.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { narrowField, neededField } from '../../ui/form/field-looks.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { FormFrame } from '../../ui/form/form-frame.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import { useSaveChannel, useTestUnsaved } from './alarm-queries.ts'
import { ChannelTestCard } from './channel-test-card.tsx'
import { channelMessages } from './alarms-messages.ts'

const blank = {
  name: '',
  kind: 'e-mail' as 'e-mail' | 'webhook',
  is_on: true,
  tells_end: true,
  digest_above: 5 as number | string,
  url: '',
  host: '',
  port: '' as number | string | null,
  security: 'starttls',
  ca: '',
  user: '',
  from: '',
  to: '',
  secret: '',
}
type ChannelValues = typeof blank & Record<string, unknown>

const valuesOf = ({ has_secret: _, id: _id, to, ...channel }: AlarmChannelRecord) => ({
  ...blank,
  ...channel,
  to: to.join('\n'),
})

interface ChannelFormProps {
  /** Undefined: a new channel. */
  channel?: AlarmChannelRecord
}

const kinds = [
  { value: 'e-mail', label: 'E-mail' },
  { value: 'webhook', label: 'Webhook' },
]
const encryptions = [
  { value: 'starttls', label: 'STARTTLS, required' },
  { value: 'tls', label: 'TLS from the beginning' },
  { value: 'none', label: 'None: private networks only, without a password' },
]
const channelWords = { kind: choiceWords(kinds), security: choiceWords(encryptions) }

/** Where a channel sends to, and how. */
export function AlarmChannelForm({ channel }: ChannelFormProps) {
  const initialValues: ChannelValues = channel ? valuesOf(channel) : blank
  const form = useForm<ChannelValues>({ mode: 'controlled', initialValues })
  const saveChannel = useSaveChannel(channel?.id)
  const [made, setMade] = useState<{ secret: string; path: string } | null>(null)
  const isMail = form.values.kind === 'e-mail'
  const saving = useSaveForm({
    form,
    initialValues,
    save: async (values) => {
      const answer = await saveChannel(values)
      const { new_secret: secret } = answer
      if (secret !== null) setMade({ secret, path: paths.alarmChannelEdit(answer.channel.id) })
      return answer
    },
    texts: channel ? channelMessages.update : channelMessages.create,
    // A new secret is shown once: the user leaves the form when it is copied.
    target: channel
      ? undefined
      : (answer) => (answer.new_secret === null ? paths.alarmChannelEdit(answer.channel.id) : null),
  })
  const test = useTestUnsaved(channel?.id)

  async function handleTest() {
    form.clearErrors()
    try {
      await test.mutateAsync(form.getValues())
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 422) return
      form.setErrors(firstMessages(error.errors))
    }
  }
  if (made) return <NewSecret {...made} />
  return (
    <FormFrame
      saving={saving}
      submitLabel={channel ? 'Save channel' : 'Add channel'}
      cancelPath={paths.alarmChannels}
      words={channelWords}
    >
      <FormCard title="Channel">
        <TextInput label="Name" {...neededField} {...form.getInputProps('name')} />
        <Select
          label="Kind"
          data={kinds}
          allowDeselect={false}
          disabled={channel !== undefined}
          {...form.getInputProps('kind')}
        />
        <Switch label="On" {...form.getInputProps('is_on', { type: 'checkbox' })} />
        <Switch
          label="Also tell when an alarm is over"
          {...form.getInputProps('tells_end', { type: 'checkbox' })}
        />
        <NumberInput
          label="One message for more than"
          description="More alarms than this in one check are one message that lists them."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={100}
          allowDecimal={false}
          styles={narrowField}
          {...form.getInputProps('digest_above')}
        />
      </FormCard>
      {isMail ? (
        <MailFields form={form} hasSecret={channel?.has_secret ?? false} />
      ) : (
        <WebhookFields form={form} hasSecret={channel?.has_secret ?? false} />
      )}
      <ChannelTestCard test={test} onTest={() => void handleTest()} />
    </FormFrame>
  )
}

interface FieldsProps {
  form: ReturnType<typeof useForm<ChannelValues>>
  hasSecret: boolean
}

function MailFields({ form, hasSecret }: FieldsProps) {
  const { security } = form.values
  return (
    <>
      <FormCard title="Mail">
        <Textarea
          label="To"
          description="One address in a line."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          rows={3}
          {...neededField}
          {...form.getInputProps('to')}
        />
        <TextInput label="From" {...neededField} {...form.getInputProps('from')} />
      </FormCard>
      <FormCard title="Mail server">
        <Group align="flex-start">
          <TextInput label="Host" {...neededField} w={320} {...form.getInputProps('host')} />
          <NumberInput
            label="Port"
            placeholder={{ tls: '465', none: '25' }[security] ?? '587'}
            min={1}
            max={65_535}
            allowDecimal={false}
            w={120}
            {...form.getInputProps('port')}
            value={form.values.port ?? ''}
          />
        </Group>
        <Select
          label="Encryption"
          data={encryptions}
          allowDeselect={false}
          {...form.getInputProps('security')}
        />
        {security !== 'none' && (
          <>
            <TextInput label="User" autoComplete="off" {...form.getInputProps('user')} />
            <Secret form={form} label="Password" isStored={hasSecret} />
            <Textarea
              label="Certificate authority"
              description="PEM, where the server’s certificate is signed by one of your own."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              rows={4}
              {...form.getInputProps('ca')}
            />
          </>
        )}
      </FormCard>
    </>
  )
}

function WebhookFields({ form, hasSecret }: FieldsProps) {
  return (
    <FormCard
      title="Webhook"
      description="Each message is signed as Standard Webhooks say. Blank: a secret is made, and shown once."
    >
      <TextInput label="URL" {...neededField} {...form.getInputProps('url')} />
      <Secret form={form} label="Secret" isStored={hasSecret} />
    </FormCard>
  )
}

function Secret({
  form,
  label,
  isStored,
}: Pick<FieldsProps, 'form'> & { label: string; isStored: boolean }) {
  const { value, onChange, error } = form.getInputProps('secret') as {
    value: string
    onChange: (value: string) => void
    error?: string
  }
  return (
    <SecretField
      label={label}
      storedText={`A ${label.toLowerCase()} is stored`}
      isStored={isStored}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

function NewSecret({ secret, path }: { secret: string; path: string }) {
  return (
    <Stack gap="md">
      <Alert color="green" role="note" title="The secret that signs the messages">
        <Stack gap="sm" align="flex-start">
          <span>Give it to the receiver. It is shown this once.</span>
          <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
          <CopyButton text={secret} label="Copy" description="the secret" />
        </Stack>
      </Alert>
      <div>
        <Button component={Link} to={path}>
          Done
        </Button>
      </div>
    </Stack>
  )
}
