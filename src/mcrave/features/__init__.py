"""What learners look at: features of positions, and files of the weights that were learnt for them."""
