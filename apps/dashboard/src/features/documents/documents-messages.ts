export const documentsMessages = {
  notLoaded: 'The document could not be loaded.',
  noQr: 'No QR code yet',
  qrNotDrawn: 'The QR code could not be drawn.',
} as const
