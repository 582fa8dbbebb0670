import { SimpleGrid, Stack, Button, Group, Text, Alert } from '@mantine/core'
import { useDeferredValue } from 'react'
import { qrTextOf, qrMaxBytes, type QrText } from '@gatehouse/contract/qr-text'
import { IconDownload } from '@tabler/icons-react'
import { readTaxQr } from '@gatehouse/contract/tax-qr'
import { Page } from '../../ui/page/page.tsx'
import { saveFile } from '../../lib/browser/save-file.ts'
import { BlobImage } from '../../ui/text/blob-image.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { TaxQrTable } from '../../entities/document/tax-qr-table.tsx'
import { ImageForm } from './image-form.tsx'
import { useImageGenerator, describe } from './use-image-generator.ts'
import type { MadeImage } from './image-queries.ts'
import { imagesMessages } from './images-messages.ts'

/** Makes an image or a QR code of Base64 text (spec: image-generator). */
export function ImageGeneratorPage() {
  const generator = useImageGenerator()
  const { form, image } = generator
  // A long text may take a moment to look through, which typing doesn't wait for.
  const typed = useDeferredValue(form.values.base64)
  const typedQr = form.values.isQrCode && typed.trim() !== '' ? qrTextOf(typed) : undefined
  const qr = typedQr ?? image?.qr
  return (
    <Page
      title="Image generator"
      subtitle="Make a QR code of a text, or a PNG of an image that is given as Base64."
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <ImageForm generator={generator} />
        <Stack gap="md">
          <ImageResult image={image} />
          {qr && <QrContent qr={qr} isAhead={image !== undefined && image.qr?.text !== qr.text} />}
        </Stack>
      </SimpleGrid>
    </Page>
  )
}

/** The image that was made, its size, and the button that saves it. */
function ImageResult({ image }: { image: MadeImage | undefined }) {
  return (
    <FormCard title="Result">
      {image ? (
        <>
          <BlobImage
            file={image.file}
            alt={image.qr ? 'The generated QR code' : 'The generated image'}
            isSharp={image.qr !== undefined}
          />
          <Group justify="space-between" gap="sm">
            <Text size="sm">{describe(image)}</Text>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => saveFile(imagesMessages.fileName, image.file)}
            >
              Download Image
            </Button>
          </Group>
        </>
      ) : (
        <Notice title="No image yet">
          <Text size="sm" c="dimmed">
            What Generate makes is shown here.
          </Text>
        </Notice>
      )}
    </FormCard>
  )
}

interface QrContentProps {
  qr: QrText
  /** The image that is shown does not say this. */
  isAhead: boolean
}

/** What a QR code says, or is going to say: for a tax QR its decoded fields. */
function QrContent({ qr, isAhead }: QrContentProps) {
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
        <Text size="sm">This is not the Base64 of a tax QR. It goes into the code as it is.</Text>
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
