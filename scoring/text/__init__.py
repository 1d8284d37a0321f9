"""Make texts comparable: named, versioned, pure steps, and pipelines of them."""
