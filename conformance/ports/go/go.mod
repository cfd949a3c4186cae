module jsonscan

go 1.23
