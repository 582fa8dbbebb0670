/** The spec's exact texts (spec: messages); that an image was made, and which, is said in a second line. */
export const imagesMessages = {
  generated: 'API created successfully!',
  invalid: 'Validation errors occurred!',
  failed: 'Failed to generate image.',
  fileName: 'generated-image.png',
  placeholder: '{ "EINV_QR": "AQVTYWxsYQIKMTIzNDU2Nzg5MQMUMjAyMS0wNy0xMlQxNDoyNTowOVo…" }',
} as const
