import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readTaxQr } from '@gatehouse/contract/tax-qr'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { BlobImage } from '../../ui/text/blob-image.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Loading } from '../../ui/page/loading.tsx'
import { Notice, RetryNotice } from '../../ui/page/notice.tsx'
import { TaxQrTable } from '../../entities/document/tax-qr-table.tsx'
import { documentQueries } from './document-queries.ts'
import { documentsMessages } from './documents-messages.ts'

/** The QR code that the authority answered with: as image, decoded, and as text. */
export function DocumentQr({ text }: { text: string | null }) {
  const can = useCan()
  if (text === null) {
    return (
      <FormCard title="QR code">
        <Notice title={documentsMessages.noQr}>
          <Text size="sm" c="dimmed" maw={380}>
            It is read from the answer that accepts the document, by the QR path in the endpoint’s
            run settings.
          </Text>
        </Notice>
      </FormCard>
    )
  }
  return (
    <FormCard title="QR code">
      {can('image.generate') && <Drawn text={text} />}
      <Decoded text={text} />
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code
          block
          mah={120}
          style={{
            minWidth: 0,
            flex: 1,
            overflow: 'auto',
            overflowWrap: 'anywhere',
            whiteSpace: 'pre-wrap',
          }}
        >
          {text}
        </Code>
        <CopyButton text={text} label="Copy" description="the text of the QR code" />
      </Group>
    </FormCard>
  )
}

function Drawn({ text }: { text: string }) {
  const image = useQuery(documentQueries.qr(text))
  if (image.isPending) return <Loading />
  if (image.isError) {
    return (
      <RetryNotice
        title={documentsMessages.qrNotDrawn}
        reason={messageOf(image.error)}
        isRetrying={image.isFetching}
        onRetry={() => void image.refetch()}
      />
    )
  }
  return <BlobImage file={image.data} alt="QR code of the document" isSharp isPlain />
}

function Decoded({ text }: { text: string }) {
  const tax = readTaxQr(text)
  if (!tax) return null
  return (
    <Stack gap="sm">
      {tax.problem !== undefined && <Alert color="orange">{tax.problem}</Alert>}
      <TaxQrTable fields={tax.fields} />
    </Stack>
  )
}
