import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '../../lib/save-file.ts'
import { BlobImage } from '../../ui/blob-image.tsx'
import { FormCard } from '../../ui/form-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { MadeImage } from './image-queries.ts'
import { imagesMessages } from './images-messages.ts'
import { describe } from './use-image-generator.ts'

/** The image that was made, its size, and the button that saves it. */
export function ImageResult({ image }: { image: MadeImage | undefined }) {
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
