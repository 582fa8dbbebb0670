import { Alert, Stack, Text } from '@mantine/core'
import { qrMaxBytes, type QrText } from '@gatehouse/contract/qr-text'
import { readTaxQr } from '@gatehouse/contract/tax-qr'
import { FormCard } from '../../ui/form-card.tsx'
import { TaxQrTable } from '../../entities/document/tax-qr-table.tsx'

interface QrContentProps {
  qr: QrText
  /** The image that is shown does not say this. */
  isAhead: boolean
}

/** What a QR code says, or is going to say: for a tax QR its decoded fields. */
export function QrContent({ qr, isAhead }: QrContentProps) {
  const tax = readTaxQr(qr.text)
  return (
    <FormCard title="QR content" description={<Measure qr={qr} />}>
      {isAhead && <Alert color="orange">The image above was made of something else.</Alert>}
      {tax ? (
        <Stack gap="sm">
          {tax.problem !== undefined && <Alert color="orange">{tax.problem}</Alert>}
          <TaxQrTable fields={tax.fields} />
        </Stack>
      ) : (
        <Text size="sm">
          This is not the Base64 of a tax QR. It goes into the code as it stands.
        </Text>
      )}
    </FormCard>
  )
}

function Measure({ qr: { text, field } }: { qr: QrText }) {
  const bytes = new TextEncoder().encode(text).length
  return (
    <>
      {`${bytes} of at most ${qrMaxBytes} bytes`}
      {field !== undefined && (
        <>
          , from the field <bdi>{field}</bdi>
        </>
      )}
    </>
  )
}
