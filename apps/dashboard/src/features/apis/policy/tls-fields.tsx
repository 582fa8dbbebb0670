import { FileInput, Stack, Switch, Text, Textarea } from '@mantine/core'
import type { FormPart } from '../../../lib/forms/form-part.ts'
import { Moment } from '../../../ui/text/moment.tsx'
import { storedText } from '../../../ui/text/named-values.tsx'
import { PasswordField } from '../../../ui/form/password-field.tsx'
import { RadioChoice } from '../../../ui/form/radio-choice.tsx'
import { tlsModes, type TlsDraft } from './tls-draft.ts'

export function TlsFields({ part }: { part: FormPart<TlsDraft> }) {
  const { mode, legacy_renegotiation } = part.values
  return (
    <Stack gap="md">
      <RadioChoice
        label="Client certificate"
        choices={tlsModes}
        data-path={part.pathOf('mode')}
        value={mode}
        onChange={(chosen: string) => part.set('mode', chosen)}
      />
      {mode !== 'none' && part.values.certificate !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Stored: {part.values.certificate.subject}, issued by {part.values.certificate.issuer},
          valid until <Moment at={part.values.certificate.expires_at} isDay />
        </Text>
      )}
      {mode === 'pem' && (
        <>
          <Pem part={part} field="client_certificate" label="Client certificate (PEM)" />
          <Pem part={part} field="client_key" label="Client key (PEM)" />
        </>
      )}
      {mode === 'pfx' && <PfxFile part={part} />}
      {mode !== 'none' && (
        <PasswordField
          label="Passphrase"
          description="Blank where the key has none."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={isStored(part, 'passphrase') ? storedText : ''}
          autoComplete="new-password"
          value={part.values.passphrase}
          onChange={(event) => part.set('passphrase', event.currentTarget.value)}
          error={part.errorOf('passphrase')}
        />
      )}
      <Pem
        part={part}
        field="ca"
        label="Certificate of the authority (PEM)"
        description="For an upstream whose certificate a private authority signed."
      />
      <Switch
        label="Allow legacy renegotiation"
        checked={legacy_renegotiation}
        onChange={(event) => part.set('legacy_renegotiation', event.currentTarget.checked)}
      />
      {legacy_renegotiation && (
        <Text size="sm" c="red">
          This weakens the connection (RFC 5746). Allow it only where the upstream works in no other
          way.
        </Text>
      )}
    </Stack>
  )
}

const isStored = ({ values }: FormPart<TlsDraft>, field: string) =>
  values.storedSecrets.includes(field)

interface PemProps {
  part: FormPart<TlsDraft>
  field: 'client_certificate' | 'client_key' | 'ca'
  label: string
  description?: string
}

function Pem({ part, field, label, description }: PemProps) {
  const kind = field === 'client_key' ? 'PRIVATE KEY' : 'CERTIFICATE'
  return (
    <Textarea
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={isStored(part, field) ? storedText : `-----BEGIN ${kind}-----`}
      rows={3}
      resize="vertical"
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={part.values[field]}
      onChange={(event) => part.set(field, event.currentTarget.value)}
      error={part.errorOf(field)}
    />
  )
}

function PfxFile({ part }: { part: FormPart<TlsDraft> }) {
  return (
    <FileInput
      label="PFX file"
      placeholder={isStored(part, 'pfx') ? storedText : 'Choose a .pfx or .p12 file'}
      accept=".pfx,.p12,application/x-pkcs12"
      clearable
      onChange={(file) => void toBase64(file).then((text) => part.set('pfx', text))}
      error={part.errorOf('pfx')}
    />
  )
}

function toBase64(file: File | null): Promise<string> {
  if (file === null) return Promise.resolve('')
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    // A data URL: the Base64 follows the comma.
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : ''
      resolve(url.slice(url.indexOf(',') + 1))
    })
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error('The file is unreadable')),
    )
    reader.readAsDataURL(file)
  })
}
