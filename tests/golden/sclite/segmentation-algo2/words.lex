flower
light
moon
moonlight
seed
sun
sunflower
sunlight
