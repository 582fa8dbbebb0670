import sharp from 'sharp'

// Every input is seen once: a cache would only hold on to memory.
sharp.cache(false)

// Whatever a file pretends to be, no other reader can be reached: SVG and PDF load and run things.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

export { sharp }
