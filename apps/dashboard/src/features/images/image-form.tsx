import { Button, Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { FormCard } from '../../ui/form/form-card.tsx'
import { imagesMessages } from './images-messages.ts'
import type { ImageGenerator } from './use-image-generator.ts'

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** The fields and the button (spec: image-generator). */
export function ImageForm({ generator }: { generator: ImageGenerator }) {
  const { form, isWorking, attachForm, handleSubmit } = generator
  const { isQrCode } = form.values
  const side = {
    type: 'number',
    min: 1,
    max: 4096,
    step: 1,
    placeholder: isQrCode ? '300' : "The image's own",
  }
  return (
    <form ref={attachForm} onSubmit={handleSubmit} noValidate autoComplete="off">
      <FormCard title="Input">
        <Textarea
          label="Base64"
          description={
            isQrCode
              ? 'The text of the QR code, or a JSON object with one field named like qr. A tax QR is its Base64 as it is.'
              : 'A PNG, JPEG, WebP or GIF, also as a data URL.'
          }
          rows={8}
          placeholder={imagesMessages.placeholder}
          spellCheck={false}
          descriptionProps={{ mb: 4 }}
          dir="auto"
          resize="vertical"
          styles={monospace}
          {...form.getInputProps('base64')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Width" {...side} {...form.getInputProps('width')} />
          <TextInput label="Height" {...side} {...form.getInputProps('height')} />
        </SimpleGrid>
        <Checkbox label="Is Qr" {...form.getInputProps('isQrCode', { type: 'checkbox' })} />
        <div>
          <Button type="submit" loading={isWorking}>
            Generate
          </Button>
        </div>
      </FormCard>
    </form>
  )
}
