blackbird
bluebell a flower
  zebra
